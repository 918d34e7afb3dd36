print("sealed")
